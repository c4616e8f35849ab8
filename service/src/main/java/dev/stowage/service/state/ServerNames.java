package dev.stowage.service.state;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.policy.View;
import dev.stowage.policies.catalog.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Servers by a name, or by the number as text. A name is never digits alone. */
public final class ServerNames {
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    /** This many names are searched for the nearest one at most, because a refusal must not take long. */
    private static final int FEW = 1000;

    private ServerNames() {}

    /** Whether a text is a server's number and therefore not a name. */
    public static boolean isNumber(String text) {
        return NUMBER.matcher(text).matches();
    }

    /** Number of a server, or -1 if there is none. */
    public static int find(Engine engine, String text) {
        if (!isNumber(text)) {
            return text.isEmpty() ? -1 : engine.findServer(text);
        }
        // Longer texts are larger than every number.
        long number = text.length() > 10 ? Long.MAX_VALUE : Long.parseLong(text);
        return number < engine.view().servers() ? (int) number : -1;
    }

    /** The message for a text that is not the name of a server. */
    public static String unknown(View view, String text) {
        int servers = view.servers();
        if (servers == 0) {
            return "there is no server '" + text + "': there are no servers";
        }
        String numbers = "0 to " + (servers - 1);
        if (isNumber(text)) {
            return "there is no server " + text + "; the servers are " + numbers;
        }
        List<String> names = new ArrayList<>();
        for (int server = 0; server < servers && names.size() < FEW; server++) {
            if (!view.serverName(server).isEmpty()) {
                names.add(view.serverName(server));
            }
        }
        return "there is no server '" + text + "'"
                + (names.isEmpty()
                        ? "; the servers have no names here, only the numbers " + numbers + ". Names are given by"
                                + " 'name' of the servers in the file or server list of a new service, and by 'stowage"
                                + " servers add --name'"
                        : Suggestion.of(text, names));
    }
}
