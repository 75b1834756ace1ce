package web;

/** Lets visitors pass and hands their page to the next in the chain. */
public class Gate {
    public interface Chain {
        void next(Page page);
    }

    private int visitors;

    public int pass(final String title, Chain chain) {
        visitors++;
        chain.next(new Page() {
            @Override
            public void show() {
                if (title.isEmpty()) {
                    throw new IllegalStateException("a page without a title");
                }
            }
        });
        return visitors;
    }
}
