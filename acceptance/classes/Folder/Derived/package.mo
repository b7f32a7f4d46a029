within Folder;
package Derived
  extends Base(k = 3);
end Derived;
