import { consoleArea } from '../console-area.ts'
import { peoplePages } from './pages.ts'
import { people } from './texts.ts'

export const peopleArea = consoleArea('people', { pages: peoplePages, texts: { people } })
