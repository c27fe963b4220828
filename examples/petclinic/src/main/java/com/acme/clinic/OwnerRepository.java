package com.acme.clinic;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

interface OwnerRepository extends JpaRepository<Owner, Long> {
    List<Owner> findByLastNameStartingWith(String start);
}
