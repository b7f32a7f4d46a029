within Folder;
package Types
end Types;
