import { page } from '../../terms/page.ts'

export const pages = {
  'devmon.ledger': page('devmon', 2, '操作记录', 'Command history', '/devmon/ledger'),
  'devmon.selftests': page('devmon', 7, '漏电自检', 'RCD tests', '/devmon/selftests'),
} as const
