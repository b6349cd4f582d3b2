ALTER TABLE `prescriptions` ADD `file_fault` text;
