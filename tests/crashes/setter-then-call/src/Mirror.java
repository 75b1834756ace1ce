package mirror;

import java.io.IOException;

/** A task that keeps one link up to date. */
public class Mirror {
    private String link;
    private String target;
    private boolean strict;

    public void setLink(String link) {
        this.link = link;
    }

    public void setTarget(String target) {
        this.target = target;
    }

    public void setStrict(boolean strict) {
        this.strict = strict;
    }

    public String drop() throws IOException {
        if (link == null) {
            throw new IllegalStateException("Set the link first");
        }
        if (Links.shared().isLink(link)) {
            return "dropped " + link + " to " + target;
        }
        if (strict) {
            throw new IllegalStateException(link + " is no link");
        }
        return "kept " + link;
    }
}
