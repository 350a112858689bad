import type { LineFacts } from './line-facts.ts'

/** When the tests judge, Unix ms. */
export const now = Date.UTC(2026, 4, 1, 8)

/** An open line that may be closed: everything reported, nothing in the way. Its sounder sounds, so that it may be hushed too. */
export const healthy: LineFacts = {
  link: 'online',
  reach: 'yes',
  liveReceivedAt: now - 1_000,
  clockGood: true,
  position: 'open',
  tripCause: 'none',
  tripCauseRecorded: false,
  localLock: 'off',
  selfTest: 'passed',
  switches: true,
  inspectionUntil: null,
  tags: [],
  lastOperationAt: null,
  pending: null,
  sounder: 'sounding',
  quietUntil: null,
}
