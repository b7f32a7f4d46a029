within;
package Plant "A package that is a folder"
  constant Real g = 9.81;
end Plant;
