within Plant;
package Parts
end Parts;
