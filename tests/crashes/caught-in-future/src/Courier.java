package parcels;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** Sends parcels, and tells later how that went. */
public class Courier {
    public Future<String> send(String address, int weight) {
        CompletableFuture<String> receipt = new CompletableFuture<>();
        try {
            receipt.complete(label(address, weight));
        } catch (RuntimeException failure) {
            receipt.completeExceptionally(failure);
        }
        return receipt;
    }

    private String label(String address, int weight) {
        String[] lines = address.split(",");
        return lines[2].trim() + " " + weight;
    }
}
