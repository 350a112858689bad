import { beforeAll, expect, test } from 'vitest'
import { startTestTexts } from '../../dev/test-texts.ts'

let namesOf: (keys: readonly string[]) => string[]

beforeAll(async () => {
  await startTestTexts()
  namesOf = (await import('./permission-names.ts')).permissionNames
})

test.each([
  ['its pages stand for a section, whatever their keys begin with', ['timer', 'scene.list'], ['场景列表']],
  ['so do those that begin with its key', ['devmon', 'devmon.realtime'], ['实时监控']],
  ['a section by itself is named', ['devmon'], ['设备监控']],
  ['buttons are', ['devmon', 'devmon.params', 'lineSwitch'], ['参数设置', '线路分合闸']],
  ['what has no name stands as it is', ['gone.page'], ['gone.page']],
])('%s', (_, keys, names) => expect(namesOf(keys)).toEqual(names))
