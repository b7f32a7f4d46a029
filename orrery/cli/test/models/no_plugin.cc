// A library, and no plug-in.

int Nothing();

int Nothing() {
  return 0;
}
