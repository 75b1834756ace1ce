package mint;

/** Coins, each of which is counted in its own way. */
public enum Coin implements Priced {
    PLAIN {
        @Override
        int worth(int count) {
            return count;
        }
    },
    RARE {
        @Override
        int worth(int count) {
            return count > 1 ? price(count) / 2 : 0;
        }
    };

    abstract int worth(int count);

    public int total(int[] counts) {
        int total = 0;
        for (int count : counts) {
            total += count;
        }
        return total;
    }

    @Override
    public String label() {
        return "worth = " + name();
    }
}
