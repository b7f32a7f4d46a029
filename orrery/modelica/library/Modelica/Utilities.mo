within Modelica;
package Utilities "Functions of Strings that are known when a model is translated, and printing"
  package Types "Types of these functions"
    type Compare = enumeration(
      Less "The first String comes before the second",
      Equal "The Strings are equal",
      Greater "The first String comes after the second")
      "How two Strings compare";
  end Types;

  package Streams "Lines for the user and of files, and errors"
    function print "A line for the user, or at the end of a file"
      input String string = "" "Line; may have values of the run by String()";
      input String fileName = "" "File; empty: what the user reads";
    external "builtin";
    end print;

    function readLine "A line of a file"
      input String fileName "File";
      input Integer lineNumber "Its number, from 1";
      output String string "The line, without its end";
      output Boolean endOfFile "Whether the file has fewer lines";
    external "builtin";
    end readLine;

    function error "Ends the run"
      input String string "Why";
    external "builtin";
    end error;
  end Streams;

  package Strings "Functions of Strings; positions count from 1"
    function length "The number of characters"
      input String string "String";
      output Integer result "Number of its characters";
    external "builtin";
    end length;

    function substring "The characters from one position to another"
      input String string "String";
      input Integer startIndex "Position of the first character";
      input Integer endIndex "Position of the last character";
      output String result "The characters";
    external "builtin";
    end substring;

    function repeat "A String several times"
      input Integer n = 1 "How often";
      input String string = " " "String";
      output String repeatedString "The String n times";
    external "builtin";
    end repeat;

    function compare "Which of two Strings comes first"
      input String string1 "The first";
      input String string2 "The second";
      input Boolean caseSensitive = true "Whether A is not a";
      output Modelica.Utilities.Types.Compare result "The first by the second";
    external "builtin";
    end compare;

    function isEqual "Whether two Strings are equal"
      input String string1 "The first";
      input String string2 "The second";
      input Boolean caseSensitive = true "Whether A is not a";
      output Boolean identical "Whether they are equal";
    external "builtin";
    end isEqual;

    function isEmpty "Whether there is nothing but white space"
      input String string "String";
      output Boolean result "Whether it is empty";
    external "builtin";
    end isEmpty;

    function contains "Whether a String is part of another"
      input String string "String";
      input String searchString "What is looked for";
      input Boolean caseSensitive = true "Whether A is not a";
      output Boolean result "Whether it is in the String";
    external "builtin";
    end contains;

    function count "How often a String is in another, without overlap"
      input String string "String";
      input String searchString "What is counted";
      input Integer startIndex = 1 "From which position on";
      input Boolean caseSensitive = true "Whether A is not a";
      output Integer result "How often it is in the String";
    external "builtin";
    end count;

    function find "Where a String is in another, first"
      input String string "String";
      input String searchString "What is looked for";
      input Integer startIndex = 1 "From which position on";
      input Boolean caseSensitive = true "Whether A is not a";
      output Integer index "Its first position; 0 if it is not there";
    external "builtin";
    end find;

    function findLast "Where a String is in another, last"
      input String string "String";
      input String searchString "What is looked for";
      input Integer startIndex = 0 "Up to which position; 0 is the last";
      input Boolean caseSensitive = true "Whether A is not a";
      output Integer index "Its last position; 0 if it is not there";
    external "builtin";
    end findLast;

    function replace "A String with parts replaced"
      input String string "String";
      input String searchString "What is replaced";
      input String replaceString "With what";
      input Integer startIndex = 1 "From which position on";
      input Boolean replaceAll = true "Whether all are replaced, or the first";
      input Boolean caseSensitive = true "Whether A is not a";
      output String result "The String with them replaced";
    external "builtin";
    end replace;

    function hashString "A number that differs for different Strings, mostly"
      input String string "String";
      output Integer hash "An Integer of any sign";
    external "builtin";
    end hashString;
  end Strings;
end Utilities;
