package fair;

public class Evening {
    public static void main(String[] arguments) {
        Carousel carousel = new Carousel(3);
        carousel.add("Ada");
        carousel.free = 40;
        carousel.remove("Ada");
    }
}
