/** A run on disk while it is under way: what has finished is not lost with the process. */
export { JOURNAL_FILE, type JournalFacts, type JournalOptions, JournalWriter } from './journal-writer.ts'
export { readJournal } from './read-journal.ts'
