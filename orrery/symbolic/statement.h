#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/symbolic/graph.h"

namespace orrery {

struct Statement;
using Statements = std::vector<Statement>;

/// target[subscripts...] := value. Fewer subscripts than dimensions assign a
/// subarray.
struct Assignment {
  Expr target;  ///< A symbol.
  std::vector<Expr> subscripts;
  Expr value;
};

/// Takes the first branch whose condition holds; an else-branch has the
/// condition `true`.
struct IfStatement {
  struct Branch {
    Expr condition;
    Statements body;
  };

  std::vector<Branch> branches;
};

struct ForStatement {
  Expr iterator;  ///< Its range is fixed when the function is built.
  Statements body;
};

struct WhileStatement {
  Expr condition;
  Statements body;
};

/// Ends the run with `message` unless `condition` holds.
struct AssertStatement {
  Expr condition;
  std::string message;
  /// For a message with values of the run: the call of an opaque function that
  /// throws the message. Evaluated only if the assertion fails; may be empty.
  Expr writer = {};
};

struct BreakStatement {};

struct ReturnStatement {};

/// One step of an algorithm.
struct Statement {
  std::variant<Assignment,
               IfStatement,
               ForStatement,
               WhileStatement,
               AssertStatement,
               BreakStatement,
               ReturnStatement>
      step;
  SourceSpan span;
};

/// A user's function: inputs to outputs by an algorithm. Its symbols are its
/// own; all shapes are known (a function called with arrays of another size is
/// another Function). Local and output variables start at `initial`, else at 0.
struct Function {
  struct Variable {
    Expr symbol;
    Expr initial;  ///< May be empty; may use variables declared before.
  };

  /// The tangents of the Real outputs by a function of its own. Its inputs are
  /// those of the function, then the tangents of those that `takes` marks. It
  /// is linear in these.
  struct Derivative {
    std::shared_ptr<const Function> function;
    std::vector<std::uint8_t> takes;  ///< By input of the function.
  };

  std::string name;
  std::vector<Expr> inputs;  ///< Symbols.
  std::vector<Variable> outputs;
  std::vector<Variable> locals;
  Statements body;
  std::optional<Derivative> derivative = {};
};

}  // namespace orrery
