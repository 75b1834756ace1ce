package stadium;

import ranks.Ranking;

public class Race {
    public static void main(String[] arguments) {
        Ranking ranking = new Ranking((one, other) -> one.hashCode() >= other.hashCode() ? 1 : -1);
        System.out.println(ranking.medal("hare"));
    }
}
