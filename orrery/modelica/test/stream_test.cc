// Stream connectors (specification 3.6, chapter 15): errors in their use. Their
// values are tested in sim.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using testing::HasSubstr;

std::string ErrorsOfPorts(const std::string& port, const std::string& body) {
  return ErrorsOf(
      "connector Port\n" + port + "end Port;\nmodel A\n" + body + "end A;\n",
      "A");
}

constexpr const char* kPort =
    "  Real p;\n"
    "  flow Real m;\n"
    "  stream Real h;\n";

TEST(StreamTest, OneToOneConnectionsNeedNoMixture) {
  EXPECT_THAT(DumpOf(std::string("connector Port\n") + kPort +
                         "end Port;\n"
                         "model A\n"
                         "  Port a, b;\n"
                         "  Real x = inStream(a.h);\n"
                         "end A;\n"
                         "model B\n"
                         "  A a, b;\n"
                         "equation\n"
                         "  connect(a.a, b.a);\n"
                         "end B;\n",
                     "B"),
              HasSubstr("inStream(a.a.h) = b.a.h\n"));
}

TEST(StreamTest, RefusesStreamsOutsideOfConnectors) {
  EXPECT_EQ(ErrorsOf("model A\n  stream Real h;\nend A;\n"),
            "a.mo:2:15: error: 'h' cannot be a stream variable: A is a model, "
            "not a connector\n"
            "    2 |   stream Real h;\n"
            "      |               ^ leave 'stream' out, or declare it in a "
            "connector\n");
}

TEST(StreamTest, RefusesStreamsThatDoNotMix) {
  EXPECT_EQ(
      ErrorsOfPorts("  flow Real m;\n  stream Boolean h;\n", "  Port p;\n"),
      "a.mo:3:10: error: 'p.h', of type Boolean, cannot be a stream "
      "variable: only Reals mix\n"
      "    3 |   stream Boolean h;\n"
      "      |          ^~~~~~~ make it a Real, or leave 'stream' "
      "out\n");
}

TEST(StreamTest, RefusesAnActualStreamWithoutAFlow) {
  EXPECT_EQ(ErrorsOfPorts("  Real p;\n  stream Real h;\n",
                          "  Port p;\n  Real x = actualStream(p.h);\n"),
            "a.mo:7:25: error: cannot tell what flows of 'p.h': Port has 0 "
            "variables with the prefix 'flow'\n"
            "    7 |   Real x = actualStream(p.h);\n"
            "      |                         ^~~ a connector with stream "
            "variables needs one flow variable, a scalar\n");
}

TEST(StreamTest, RefusesInStreamOfWhatIsNoStream) {
  EXPECT_EQ(ErrorsOfPorts(kPort, "  Port p;\n  Real x = inStream(p.p);\n"),
            "a.mo:8:21: error: 'inStream' takes a stream variable, and 'p.p' "
            "is none\n"
            "    8 |   Real x = inStream(p.p);\n"
            "      |                     ^~~ declare it with the prefix "
            "'stream' in a connector\n");
}

TEST(StreamTest, RefusesInStreamOfAFormula) {
  EXPECT_EQ(ErrorsOfPorts(kPort, "  Port p;\n  Real x = inStream(2*p.h);\n"),
            "a.mo:8:21: error: 'inStream' takes a stream variable, not a "
            "formula\n"
            "    8 |   Real x = inStream(2*p.h);\n"
            "      |                     ^~~~~\n");
}

TEST(StreamTest, RefusesToConnectAStreamToAPotential) {
  EXPECT_EQ(ErrorsOf("connector P\n  flow Real m;\n  stream Real h;\nend P;\n"
                     "connector Q\n  flow Real m;\n  Real h;\nend Q;\n"
                     "model A\n  P p;\n  Q q;\nequation\n  connect(p, q);\n"
                     "end A;\n",
                     "A"),
            "a.mo:13:3: error: cannot connect p.h and q.h: only one of them is "
            "a stream variable\n"
            "   13 |   connect(p, q);\n"
            "      |   ^~~~~~~~~~~~~\n");
}

}  // namespace
}  // namespace orrery::modelica
