package web;

public interface Page {
    void show();
}
