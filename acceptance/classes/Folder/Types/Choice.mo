within Folder.Types;
type Choice = enumeration(one, two);
