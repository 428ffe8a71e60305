// SPDX-License-Identifier: MIT
// Sines, arcs and hypotenuses that are rounded once. glibc's are wrong in the last bit for one argument in a thousand,
// musl's for three in a hundred and more: enough for simulations to differ between systems. Here a value is computed as
// the sum of two doubles (Dekker, "A floating-point technique for extending the available precision", 1971), about 100
// bits, of which a double keeps 53. musl reduces arguments to a quarter turn, and gives arcs to start from.
#include <math.h>

int __rem_pio2(double x, double* y);
double musl_asin(double x);
double musl_acos(double x);
double musl_atan2(double y, double x);
double musl_hypot(double x, double y);

typedef struct {
  double high, low;
} Pair;

/// The sum of two doubles, exactly.
static Pair sum(double a, double b) {
  const double s = a + b, part = s - a;
  return (Pair){s, (a - (s - part)) + (b - part)};
}

/// The product of two doubles, exactly, unless it leaves the range.
static Pair product(double a, double b) {
  const double p = a * b, ta = 134217729.0 * a, tb = 134217729.0 * b;
  const double ah = ta - (ta - a), al = a - ah, bh = tb - (tb - b), bl = b - bh;
  return (Pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static Pair add(Pair a, Pair b) {
  const Pair s = sum(a.high, b.high);
  return sum(s.high, s.low + (a.low + b.low));
}

static Pair multiply(Pair a, Pair b) {
  const Pair p = product(a.high, b.high);
  return sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

/// 1/n to twice the precision of a double.
static Pair inverse(double n) {
  const double high = 1.0 / n;
  const Pair back = product(high, n);
  return (Pair){high, ((1.0 - back.high) - back.low) / n};
}

/// The sine of `y`, at most an eighth of a turn, by its series. Terms that are too small to need both doubles have one.
static Pair series_sine(Pair y) {
  const Pair z = multiply(y, y);
  double tail = 0.0;
  static const double kInverse[] = {1 / 51090942171709440000.0, -1 / 121645100408832000.0, 1 / 355687428096000.0,
                                    -1 / 1307674368000.0,       1 / 6227020800.0,          -1 / 39916800.0,
                                    1 / 362880.0,               -1 / 5040.0};
  for (int i = 0; i < 8; ++i) tail = tail * z.high + kInverse[i];
  const Pair sixth = inverse(-6.0);
  Pair p = add(inverse(120.0), product(tail, z.high));
  p = add(sixth, multiply(p, z));
  return add(y, multiply(y, multiply(p, z)));
}

/// The cosine of `y`, likewise.
static Pair series_cosine(Pair y) {
  const Pair z = multiply(y, y);
  double tail = 0.0;
  static const double kInverse[] = {1 / 2432902008176640000.0, -1 / 6402373705728000.0, 1 / 20922789888000.0,
                                    -1 / 87178291200.0,        1 / 479001600.0,         -1 / 3628800.0,
                                    1 / 40320.0};
  for (int i = 0; i < 7; ++i) tail = tail * z.high + kInverse[i];
  Pair p = add(inverse(-720.0), product(tail, z.high));
  p = add(inverse(24.0), multiply(p, z));
  p = add((Pair){-0.5, 0.0}, multiply(p, z));
  return add((Pair){1.0, 0.0}, multiply(p, z));
}

static Pair negative(Pair a) { return (Pair){-a.high, -a.low}; }

/// Sine and cosine of a finite number.
static void turn(double x, Pair* sine, Pair* cosine) {
  double y[2] = {x, 0.0};
  const int quarter = fabs(x) < 0.785 ? 0 : __rem_pio2(x, y) & 3;  // musl's leaves small arguments to its caller
  const Pair part = sum(y[0], y[1]), s = series_sine(part), c = series_cosine(part);
  *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? negative(s) : negative(c);
  *cosine = quarter == 0 ? c : quarter == 1 ? negative(s) : quarter == 2 ? negative(c) : s;
}

/// True if the series may be used: tiny numbers, whose products would be lost, are their own sine.
static int is_ordinary(double x) { return isfinite(x) && fabs(x) > 1e-8; }

double sin(double x) {
  Pair s, c;
  if (!is_ordinary(x)) return isfinite(x) ? x : x - x;
  turn(x, &s, &c);
  return s.high;
}

double cos(double x) {
  Pair s, c;
  if (!is_ordinary(x)) return isfinite(x) ? 1.0 : x - x;
  turn(x, &s, &c);
  return c.high;
}

void sincos(double x, double* sine, double* cosine) {
  Pair s = {x, 0.0}, c = {1.0, 0.0};
  if (!isfinite(x)) s.high = c.high = x - x;
  if (is_ordinary(x)) turn(x, &s, &c);
  *sine = s.high;
  *cosine = c.high;
}

// Arcs: musl's is nearly right, and what its sine or cosine is off by says how much is missing.
double asin(double x) {
  const double near = musl_asin(x);
  if (!(fabs(x) < 1.0) || !is_ordinary(x)) return near;
  Pair s, c;
  turn(near, &s, &c);
  return near + add((Pair){x, 0.0}, negative(s)).high / c.high;
}

double acos(double x) {
  const double near = musl_acos(x);
  if (!(fabs(x) < 1.0) || !is_ordinary(x)) return near;
  Pair s, c;
  turn(near, &s, &c);
  return near + add(c, (Pair){-x, 0.0}).high / s.high;
}

double atan2(double y, double x) {
  const double near = musl_atan2(y, x), least = fmin(fabs(x), fabs(y)), most = fmax(fabs(x), fabs(y));
  if (!(least > 1e-100 && most < 1e100) || !is_ordinary(near)) return near;
  Pair s, c;
  turn(near, &s, &c);
  const Pair off = add(multiply((Pair){y, 0.0}, c), negative(multiply((Pair){x, 0.0}, s)));
  return near + off.high / (x * c.high + y * s.high);
}

double hypot(double x, double y) {
  const double least = fmin(fabs(x), fabs(y)), most = fmax(fabs(x), fabs(y));
  if (!(least > 1e-100 && most < 1e100)) return musl_hypot(x, y);
  const Pair square = add(product(x, x), product(y, y));
  const double near = sqrt(square.high);
  return near + add(square, negative(product(near, near))).high / (2.0 * near);
}

float sinf(float x) { return (float)sin(x); }
float cosf(float x) { return (float)cos(x); }
void sincosf(float x, float* sine, float* cosine) {
  double s, c;
  sincos(x, &s, &c);
  *sine = (float)s;
  *cosine = (float)c;
}
// Whoever needs it would get it from the system, in one object with a second sincos.
void sincosl(long double x, long double* sine, long double* cosine) {
  *sine = sinl(x);
  *cosine = cosl(x);
}
float hypotf(float x, float y) { return (float)sqrt((double)x * x + (double)y * y); }
