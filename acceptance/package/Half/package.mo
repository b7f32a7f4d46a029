within;
package Half "Its folder Inner has no package.mo"
end Half;
