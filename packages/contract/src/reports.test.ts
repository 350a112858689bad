import { expect, test } from 'vitest'
import { allCalls } from './catalogue.ts'
import { FileTicket } from './core/file-ticket.ts'
import { placedPages } from './core/pages.ts'
import { reportKinds } from './core/reports.ts'

/** Prepares the file of a schedule itself. */
const ofSchedules = ['downloadReport']

test('whatever leaves as a file can also go out by itself: each export is named by one report', () => {
  const exports = allCalls.flatMap((call) => (call.data === FileTicket ? call.name : []))
  expect(exports.length).toBeGreaterThan(10)
  const sent = Object.values(reportKinds).flatMap(({ sends }) => sends)
  expect(sent.toSorted()).toEqual(exports.filter((name) => !ofSchedules.includes(name)).toSorted())
})

test('each report is of a page that there is', () => {
  for (const { page } of Object.values(reportKinds)) expect(Object.keys(placedPages)).toContain(page)
})
