within Folder;
package Base
  extends Folder.Types;
  constant Real k = 2;
  constant Choice c = Choice.two;
end Base;
