import { consoleArea } from '../console-area.ts'
import { controlLive } from './live.ts'
import { operations } from './operation-texts.ts'
import { controlPages } from './pages.ts'
import { safety } from './safety-texts.ts'
import { control } from './texts.ts'

export const controlArea = consoleArea('control', {
  pages: controlPages,
  texts: { control, operations, safety },
  live: controlLive,
})
