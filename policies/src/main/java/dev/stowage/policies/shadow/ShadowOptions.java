package dev.stowage.policies.shadow;

/**
 * The parameters that the shadow scheme leaves open. Start with {@link #of} a gamma and change what differs.
 *
 * @param gamma precision: eta is 1 / (gamma c x number of virtual queues)
 * @param theta weight of an arrival in the usage fractions
 * @param theta1 weight of a departure in the mean service times; 0 for none
 * @param literal whether an unused configuration has ratio 0 however small its fraction is, as Algorithm B is printed
 * @param movesPerHour most migrations per hour to empty servers that the configurations do not need; 0 for none
 * @param listed most maximal configurations of a server that are listed
 * @param within relative tolerance of the search for the heaviest configuration if they are not listed
 */
record ShadowOptions(
        double gamma, double theta, double theta1, boolean literal, double movesPerHour, int listed, double within) {
    /**
     * Mean service times as declared, every configuration listed, no migration; theta for cases in which its value does
     * not matter.
     */
    static ShadowOptions of(double gamma) {
        return new ShadowOptions(gamma, 0.5, 0, false, 0, Integer.MAX_VALUE, 0);
    }

    ShadowOptions withTheta(double weight) {
        return new ShadowOptions(gamma, weight, theta1, literal, movesPerHour, listed, within);
    }

    ShadowOptions learning(double weight) {
        return new ShadowOptions(gamma, theta, weight, literal, movesPerHour, listed, within);
    }

    ShadowOptions withLiteralRatio(boolean asPrinted) {
        return new ShadowOptions(gamma, theta, theta1, asPrinted, movesPerHour, listed, within);
    }

    ShadowOptions migrating(double mostPerHour) {
        return new ShadowOptions(gamma, theta, theta1, literal, mostPerHour, listed, within);
    }

    ShadowOptions listing(int most, double heavierBy) {
        return new ShadowOptions(gamma, theta, theta1, literal, movesPerHour, most, heavierBy);
    }

    UsageFractions fractions() {
        return new UsageFractions(theta, literal);
    }
}
