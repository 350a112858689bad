import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const sources = join(dirname(dirname(fileURLToPath(import.meta.url))), 'apps/console/src')

const namesLine = /\bLineNames?\b|placeNames\(/
const showsTag = /<(LineTags?|OrderTag|TagMark|TaggedMark|TaggedNote)\b|\buse(TagCounts|LineChoices)\(/

/** Components that name a line without its lock-out tag, and why. A new one either shows the tag or stands here with a reason. */
const without = {
  drawer: 'in the drawer of the line, or in a dialog over it or over its row: what is behind says it',
  past: 'what was then, not what is',
  passedOn: 'names it to others that draw it, or searches by it',
  sentence: 'says in words what the tag does to it, before anything is sent',
  cabinet: 'of a cabinet or a project',
  drawn: 'draws it: the mark stands on its switch, and its word before all others',
  billed: 'by whose meters a bill is made, whatever hangs on them',
} as const

const exceptions: Readonly<Record<string, keyof typeof without>> = {
  'areas/alarm/line-events.tsx': 'drawer',
  'areas/alarm/list/alarm-head.tsx': 'passedOn',
  'areas/alarm/list/group-row.tsx': 'cabinet',
  'areas/alarm/list/last-alarm.tsx': 'past',
  'areas/alarm/list/outcome-dialog.tsx': 'past',
  'areas/automation/linkages/linkage-form.tsx': 'passedOn',
  'areas/automation/linkages/simulation-part.tsx': 'past',
  'areas/automation/scenes/line-words.tsx': 'sentence',
  'areas/automation/timer-form/against-now.tsx': 'sentence',
  'areas/automation/timer-form/preview-side.tsx': 'sentence',
  'areas/automation/timers/conflict-list.tsx': 'sentence',
  'areas/automation/timers/day/day-body.tsx': 'passedOn',
  'areas/automation/timers/foreseen-text.tsx': 'sentence',
  'areas/automation/timers/last-runs.tsx': 'past',
  'areas/automation/timers/timer-columns.tsx': 'passedOn',
  'areas/control/certificate-dialog.tsx': 'past',
  'areas/control/chosen-tests-dialog.tsx': 'drawer',
  'areas/control/commands-view.tsx': 'past',
  'areas/control/group-operation-plan.tsx': 'drawer',
  'areas/control/line-override.tsx': 'drawer',
  'areas/control/place-tag-dialog.tsx': 'drawer',
  'areas/control/reclosing-dialog.tsx': 'drawer',
  'areas/control/self-tests.tsx': 'drawer',
  'areas/control/tests-due-list.tsx': 'passedOn',
  'areas/energy/energy-page.tsx': 'past',
  'areas/energy/fix-dialog.tsx': 'past',
  'areas/energy/hand-reading-dialog.tsx': 'past',
  'areas/energy/supply-members.tsx': 'billed',
  'areas/energy/virtual-dialog.tsx': 'billed',
  'areas/equipment/label-sheet.tsx': 'passedOn',
  'areas/hazard/change-list.tsx': 'past',
  'areas/health/check-aside.tsx': 'past',
  'areas/health/check-sheet.tsx': 'past',
  'areas/inspection/online-result.tsx': 'past',
  'areas/line/line-code.tsx': 'drawer',
  'areas/line/line-drawer.tsx': 'drawer',
  'areas/screen/diagram.tsx': 'drawn',
  'areas/screen/fact-line.tsx': 'past',
  'areas/screen/topology-dialog.tsx': 'passedOn',
  'areas/settings/blocks.tsx': 'sentence',
  'areas/settings/compare-view.tsx': 'sentence',
  'areas/settings/copy-view.tsx': 'sentence',
  'areas/settings/history-view.tsx': 'past',
  'areas/settings/line-view.tsx': 'sentence',
  'areas/settings/params-page.tsx': 'sentence',
  'areas/settings/save-template.tsx': 'sentence',
  'areas/settings/undo-dialog.tsx': 'past',
  'areas/site/gateway-dialogs.tsx': 'drawer',
  'areas/workorder/order-sheet.tsx': 'past',
}

test('whatever names a line shows the lock-out tag in force on it, or says why not', () => {
  const found = readdirSync(join(sources, 'areas'), { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = relative(sources, join(entry.parentPath, entry.name)).replaceAll('\\', '/')
    if (!entry.isFile() || !path.endsWith('.tsx')) return []
    const source = readFileSync(join(sources, path), 'utf8')
    return namesLine.test(source) && !showsTag.test(source) ? [path] : []
  })
  expect(found.toSorted()).toEqual(Object.keys(exceptions).toSorted())
})
