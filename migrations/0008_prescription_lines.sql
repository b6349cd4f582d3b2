-- Written by hand: drizzle-kit would make the table anew for the CHECK.
ALTER TABLE `prescriptions` ADD `approved_lines` text
  CONSTRAINT `prescriptions_approved_lines` CHECK (`approved_lines` IS NULL OR (`approved_at` IS NOT NULL AND json_valid(`approved_lines`)));
