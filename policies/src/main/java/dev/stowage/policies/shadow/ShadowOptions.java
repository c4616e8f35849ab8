package dev.stowage.policies.shadow;

/**
 * What the shadow scheme leaves open.
 *
 * @param gamma precision: eta is 1 / (gamma c x number of virtual queues)
 * @param theta weight of an arrival in the usage fractions
 * @param theta1 weight of a departure in the mean service times; 0 for none
 * @param literal whether an untouched configuration has ratio 0 however seldom it is to be used, as Algorithm B is printed
 * @param migration whether requests move to empty servers that the configurations do not need
 * @param movesPerHour most migrations per hour
 * @param simplified whether Algorithms C and D take the place of A
 * @param listed most maximal configurations of a server that are listed
 * @param within what is heavier by less than this, relative, need not be found where they are not listed
 */
record ShadowOptions(
        double gamma,
        double theta,
        double theta1,
        boolean literal,
        boolean migration,
        double movesPerHour,
        boolean simplified,
        int listed,
        double within) {
    UsageFractions fractions() {
        return new UsageFractions(theta, literal);
    }
}
