import { foldOf } from '@linewarden/contract'
import { consoleArea } from '../console-area.ts'
import { controlLive } from './live.ts'
import { operations } from './operation-texts.ts'
import { controlPages } from './pages.ts'
import { safety } from './safety-texts.ts'
import { tagging } from './tagging-texts.ts'
import { control } from './texts.ts'

export const controlArea = consoleArea('control', {
  pages: controlPages,
  texts: {
    control,
    operations: { zh: foldOf(tagging.zh, operations.zh), en: foldOf(tagging.en, operations.en) },
    safety,
  },
  live: controlLive,
})
