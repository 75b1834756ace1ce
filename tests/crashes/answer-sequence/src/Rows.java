package report;

public interface Rows {
    boolean next();

    String text();
}
