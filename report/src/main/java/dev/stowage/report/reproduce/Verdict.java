package dev.stowage.report.reproduce;

/** Whether our result agrees with what a paper says. */
public enum Verdict {
    /** What the paper says holds, within the confidence intervals. */
    REPRODUCED("reproduced"),
    /** The order is as the paper says, the size is not; or it holds in part of the range. */
    DIRECTION_ONLY("direction only"),
    /** It does not hold here. */
    NOT_REPRODUCED("not reproduced"),
    /** The run was too short, or was made short on purpose. */
    NOT_JUDGED("not judged");

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
