package ledger;

import java.util.List;

public interface Table {
    List<Step> steps();

    String title();
}
