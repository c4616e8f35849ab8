package dev.stowage.service.raft;

import java.util.function.Function;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Rejects messages of other members that are addressed to a member that this node is not, not yet, or no longer. Ratis
 * 3.3 checks only the group: a leader that does not know the new incarnation would append to it as if it were the old
 * one, and count it as having what the old one had. Entries and snapshots for another member get no answer at all, as
 * if nobody listened: after an error the leader would retry at once, again and again, and believe that it still leads.
 *
 * <p>Once its server is closing, every call is rejected, so that callers on a connection that gRPC failed to close
 * reconnect to the next server.
 */
final class Addressee implements ServerInterceptor {
    private final @Nullable ByteString member;
    private volatile boolean closing;

    /**
     * What comes for a member.
     *
     * @param member its id; null for a node that is none yet
     */
    Addressee(@Nullable String member) {
        this.member = member == null ? null : ByteString.copyFromUtf8(member);
    }

    /** From now on all calls are refused. */
    void close() {
        closing = true;
    }

    /** Whether a message is for this member; messages other than those between members are for everybody. */
    boolean accepts(Object message) {
        ByteString to = to(message);
        return to == null || to.equals(member);
    }

    private static boolean isAnswered(Object message) {
        return !(message instanceof AppendEntriesRequestProto || message instanceof InstallSnapshotRequestProto);
    }

    private static @Nullable ByteString to(Object message) {
        if (message instanceof AppendEntriesRequestProto append) {
            return to(append, AppendEntriesRequestProto::getServerRequest);
        } else if (message instanceof RequestVoteRequestProto vote) {
            return to(vote, RequestVoteRequestProto::getServerRequest);
        } else if (message instanceof InstallSnapshotRequestProto install) {
            return to(install, InstallSnapshotRequestProto::getServerRequest);
        } else if (message instanceof StartLeaderElectionRequestProto election) {
            return to(election, StartLeaderElectionRequestProto::getServerRequest);
        } else if (message instanceof ReadIndexRequestProto read) {
            return to(read, ReadIndexRequestProto::getServerRequest);
        }
        return null;
    }

    private static <M> ByteString to(M message, Function<M, RaftRpcRequestProto> header) {
        return header.apply(message).getReplyId();
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (closing) {
            call.close(Status.UNAVAILABLE.withDescription("this node is shutting down"), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            private boolean refused;

            @Override
            public void onMessage(Q message) {
                if (refused) {
                    return;
                }
                if (accepts(message)) {
                    super.onMessage(message);
                    return;
                }
                refused = true;
                if (isAnswered(message)) {
                    call.close(
                            Status.FAILED_PRECONDITION.withDescription("the message is for another member"),
                            new Metadata());
                }
            }

            @Override
            public void onHalfClose() {
                if (!refused) {
                    super.onHalfClose();
                }
            }
        };
    }
}
