package Folder
end Folder;
