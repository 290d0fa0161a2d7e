import type { Encoding } from './encoding.ts'

/** Recognised to be refused with a way out: not every supported Node can unpack it. */
export const zstd: Encoding = {
  name: 'zstd',
  recognises: ([a, b, c, d]) => a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd,
  documents(_bytes, report) {
    report.refuse(
      'UNREADABLE_TRACE',
      'The file is compressed with zstd. Unpack it first (`zstd -d`), or have the collector write gzip or none.',
    )
    return []
  },
}
