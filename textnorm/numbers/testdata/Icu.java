// Speaks for ICU4J: reads "language TAB set TAB number", writes the words, one line each.
//   java -cp icu4j-78.1.jar Icu.java <questions >answers
import com.ibm.icu.text.RuleBasedNumberFormat;
import com.ibm.icu.util.ULocale;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

public class Icu {
    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        Map<String, RuleBasedNumberFormat> formats = new HashMap<>();
        for (String line; (line = in.readLine()) != null; ) {
            var f = line.split("\t");
            var format = formats.computeIfAbsent(f[0], l -> new RuleBasedNumberFormat(new ULocale(l), RuleBasedNumberFormat.SPELLOUT));
            String said = "";
            try {
                said = f[2].contains(".") ? format.format(Double.parseDouble(f[2]), f[1]) : format.format(Long.parseLong(f[2]), f[1]);
            } catch (RuntimeException e) {
                // no such set: no answer
            }
            out.println(said.replace("\u00ad", ""));
        }
        out.flush();
    }
}
