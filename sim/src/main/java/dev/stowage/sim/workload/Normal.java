package dev.stowage.sim.workload;

/** The standard normal distribution in {@link StrictMath} arithmetic. */
final class Normal {
    private static final double SQRT_TWO_PI = 2.5066282746310007;

    // Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988): relative error about 1e-16.
    private static final double[] CENTER_TOP = {
        3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946,
        45921.95393154987, 67265.7709270087, 33430.57558358813, 2509.0809287301227
    };
    private static final double[] CENTER_BOTTOM = {
        1.0, 42.31333070160091, 687.1870074920579, 5394.196021424751,
        21213.794301586597, 39307.89580009271, 28729.085735721943, 5226.495278852854
    };
    private static final double[] MIDDLE_TOP = {
        1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045,
        1.2704582524523684, 0.2417807251774506, 0.022723844989269184, 0.0007745450142783414
    };
    private static final double[] MIDDLE_BOTTOM = {
        1.0, 2.053191626637759, 1.6763848301838038, 0.6897673349851,
        0.14810397642748008, 0.015198666563616457, 0.0005475938084995345, 1.0507500716444169e-09
    };
    private static final double[] TAIL_TOP = {
        6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487,
        0.026532189526576124, 0.0012426609473880784, 2.7115555687434876e-05, 2.0103343992922881e-07
    };
    private static final double[] TAIL_BOTTOM = {
        1.0, 0.599832206555888, 0.1369298809227358, 0.014875361290850615,
        0.0007868691311456133, 1.8463183175100548e-05, 1.421511758316446e-07, 2.0442631033899397e-15
    };

    // Hart's approximation as given by West, Better approximations to cumulative normal functions, Wilmott (2005).
    private static final double[] HART_TOP = {
        220.206867912376,
        221.213596169931,
        112.079291497871,
        33.912866078383,
        6.37396220353165,
        0.700383064443688,
        0.0352624965998911
    };
    private static final double[] HART_BOTTOM = {
        440.413735824752,
        793.826512519948,
        637.333633378831,
        296.564248779674,
        86.7807322029461,
        16.064177579207,
        1.75566716318264,
        0.0883883476483184
    };
    private static final double HART_LIMIT = 3;

    /** Terms of Laplace's continued fraction: from the limit on, it has converged long before. */
    private static final int TAIL_TERMS = 60;

    private Normal() {}

    static double density(double x) {
        return StrictMath.exp(-x * x / 2) / SQRT_TWO_PI;
    }

    /** P(X &lt;= x), with a relative error near 1e-14 in the left tail. */
    static double cumulative(double x) {
        double size = StrictMath.abs(x);
        double tail = size > 37 ? 0 : StrictMath.exp(-size * size / 2) * millsRatio(size);
        return x > 0 ? 1 - tail : tail;
    }

    /** P(X &gt; x) / exp(-x^2 / 2) for x &gt;= 0. */
    private static double millsRatio(double x) {
        if (x < HART_LIMIT) {
            return polynomial(HART_TOP, x) / polynomial(HART_BOTTOM, x);
        }
        double fraction = x;
        for (int k = TAIL_TERMS; k >= 1; k--) {
            fraction = x + k / fraction;
        }
        return 1 / (fraction * SQRT_TWO_PI);
    }

    /** The x with P(X &lt;= x) = probability, for a probability above 0 and below 1. */
    static double quantile(double probability) {
        double q = probability - 0.5;
        if (StrictMath.abs(q) <= 0.425) {
            double r = 0.180625 - q * q;
            return q * polynomial(CENTER_TOP, r) / polynomial(CENTER_BOTTOM, r);
        }
        double r = StrictMath.sqrt(-StrictMath.log(q < 0 ? probability : 1 - probability));
        double size = r <= 5
                ? polynomial(MIDDLE_TOP, r - 1.6) / polynomial(MIDDLE_BOTTOM, r - 1.6)
                : polynomial(TAIL_TOP, r - 5) / polynomial(TAIL_BOTTOM, r - 5);
        return q < 0 ? -size : size;
    }

    /** Horner's scheme, lowest power first. */
    private static double polynomial(double[] coefficients, double x) {
        double value = 0;
        for (int i = coefficients.length - 1; i >= 0; i--) {
            value = value * x + coefficients[i];
        }
        return value;
    }
}
