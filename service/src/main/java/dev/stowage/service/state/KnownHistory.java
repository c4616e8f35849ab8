package dev.stowage.service.state;

import java.util.List;

/**
 * The history of a request, as far back as this state remembers.
 *
 * @param versions the request after each of its changes, the present one last
 * @param complete whether the first is how it arrived
 */
public record KnownHistory(List<Request> versions, boolean complete) {}
