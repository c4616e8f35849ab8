package dev.stowage.cli.advise;

import dev.stowage.cli.live.ClientOptions;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.ListReply;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.ListServersReply;
import dev.stowage.service.v1.ListServersRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.Server;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.Status;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What a service says of itself, its servers and its requests, in this order. */
interface ServedPages {
    /** Sites and resources. */
    Status status();

    /** All servers. */
    List<Server> servers();

    /** All requests of a state. */
    List<Request> requests(State state);

    /** As a service answers. */
    static ServedPages of(StowageClient service) {
        return new ServedPages() {
            private static final int PAGE = 1000;

            @Override
            public Status status() {
                return ClientOptions.answer(service.status());
            }

            @Override
            public List<Server> servers() {
                ListServersRequest.Builder page =
                        ListServersRequest.newBuilder().setPageSize(PAGE);
                return all(
                        token -> {
                            ListServersRequest asked = page.setPageToken(token).build();
                            return ClientOptions.answer(
                                    service.operations((stub, answer) -> stub.listServers(asked, answer)));
                        },
                        ListServersReply::getServersList,
                        ListServersReply::getNextPageToken);
            }

            @Override
            public List<Request> requests(State state) {
                ListRequest.Builder page = ListRequest.newBuilder()
                        .setAllTenants(true)
                        .setState(state)
                        .setPageSize(PAGE);
                return all(
                        token -> ClientOptions.answer(
                                service.list(page.setPageToken(token).build())),
                        ListReply::getRequestsList,
                        ListReply::getNextPageToken);
            }
        };
    }

    /** As a service has written its answers, each with its length before it: for the plan that its console shows. */
    static ServedPages of(InputStream written) {
        return new ServedPages() {
            private interface Parser<P> {
                P next(InputStream from) throws IOException;
            }

            private <P> P read(Parser<P> parser) {
                try {
                    P read = parser.next(written);
                    if (read != null) {
                        return read;
                    }
                } catch (IOException e) {
                    throw new BadInputException("these are not answers of a service: " + e.getMessage(), e);
                }
                throw new BadInputException("the answers of the service end too early");
            }

            @Override
            public Status status() {
                return read(Status::parseDelimitedFrom);
            }

            @Override
            public List<Server> servers() {
                return all(
                        token -> read(ListServersReply::parseDelimitedFrom),
                        ListServersReply::getServersList,
                        ListServersReply::getNextPageToken);
            }

            @Override
            public List<Request> requests(State state) {
                return all(
                        token -> read(ListReply::parseDelimitedFrom),
                        ListReply::getRequestsList,
                        ListReply::getNextPageToken);
            }
        };
    }

    /** What all pages have. */
    private static <P, T> List<T> all(Function<String, P> page, Function<P, List<T>> rows, Function<P, String> next) {
        List<T> all = new ArrayList<>();
        String token = "";
        do {
            P reply = page.apply(token);
            all.addAll(rows.apply(reply));
            token = next.apply(reply);
        } while (!token.isEmpty());
        return all;
    }
}
