package hosts;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/**
 * A small web shop for pets: pages by template, a form, searches by name, a database in memory. A second process asks it at a fixed rate ({@link BootLoad});
 * an operation is a request that was due. Arguments: seconds of learning, seconds counted, requests a second.
 */
@SpringBootApplication
@EnableJpaRepositories(considerNestedRepositories = true)
public class BootHost {
    public static void main(String[] arguments) throws Exception {
        Tools.start();
        SpringApplication application = new SpringApplication(BootHost.class);
        application.setDefaultProperties(java.util.Map.of("server.port", "0", "logging.level.root", "warn", "spring.main.banner-mode", "off",
                "spring.datasource.url", "jdbc:h2:mem:pets", "spring.jpa.hibernate.ddl-auto", "create", "spring.jpa.open-in-view", "false"));
        ConfigurableApplicationContext context = application.run();
        int perSecond = Integer.parseInt(arguments[2]);
        OwnerRepository owners = context.getBean(OwnerRepository.class);
        for (int i = 0; i < 300; i++) {
            owners.save(new Owner("owner" + i % 60, "city" + i % 7));
        }
        Process load = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m", "-XX:+UseSerialGC", "-cp",
                System.getProperty("java.class.path"), BootLoad.class.getName(), context.getEnvironment().getProperty("local.server.port"),
                Integer.toString(perSecond)).inheritIO().start();
        try {
            Phases.run(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), () -> {
                if (load.waitFor(1, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("nobody asks any more: " + load.exitValue());
                }
                return perSecond;
            });
        } finally {
            System.out.println("in all " + Pages.TAKEN.sum() + " requests taken");
            load.destroy();
            load.waitFor();
            context.close();
        }
        System.exit(0);
    }

    @Entity
    public static class Owner {
        @Id
        @GeneratedValue
        private Long id;
        private String name;
        private String city;

        protected Owner() { }

        Owner(String name, String city) {
            this.name = name;
            this.city = city;
        }

        public Long getId() {
            return id;
        }

        public String getName() {
            return name;
        }

        public String getCity() {
            return city;
        }
    }

    public interface OwnerRepository extends JpaRepository<Owner, Long> {
        List<Owner> findFirst20ByNameStartingWith(String name);

        void deleteByName(String name);
    }

    @Controller
    public static class Pages {
        private static final LongAdder TAKEN = new LongAdder();

        private final OwnerRepository owners;

        Pages(OwnerRepository owners) {
            this.owners = owners;
        }

        @GetMapping("/owners")
        String find(@RequestParam String name, Model model) {
            TAKEN.increment();
            model.addAttribute("owners", owners.findFirst20ByNameStartingWith(name));
            return "owners";
        }

        @GetMapping("/owner")
        @ResponseBody
        Owner one(@RequestParam long id) {
            TAKEN.increment();
            return owners.findById(id).orElse(null);
        }

        @PostMapping("/owners")
        @ResponseBody
        @jakarta.transaction.Transactional
        public String add(@RequestParam String name, @RequestParam String city) {
            TAKEN.increment();
            owners.deleteByName(name);
            return "added " + owners.save(new Owner(name, city)).getId();
        }
    }
}
