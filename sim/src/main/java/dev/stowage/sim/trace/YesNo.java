package dev.stowage.sim.trace;

import java.text.Normalizer;
import java.util.regex.Pattern;

/** Yes and no, in the languages that lists are read in; {@link #plain} first. */
final class YesNo {
    private static final Pattern YES =
            Pattern.compile("(?i)true|yes|1|x|wahr|ja|vrai|oui|verdadero|si|vero|verdadeiro|sim|ano|tak");

    private static final Pattern NO = Pattern.compile("(?i)false|no|0|falsch|nein|faux|non|falso|nee|ne|nie|nej|nao");

    private YesNo() {}

    static boolean isYes(String text) {
        return YES.matcher(text).matches();
    }

    static boolean isNo(String text) {
        return NO.matcher(text).matches();
    }

    static boolean isEither(String text) {
        return isYes(text) || isNo(text);
    }

    /** Without accents. */
    static String plain(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFD)
                .replaceAll("\\p{M}", "")
                .replace('ł', 'l')
                .replace('Ł', 'L')
                .strip();
    }
}
