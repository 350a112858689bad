import { beforeEach } from 'vitest'
import { leftTests } from './long-run.ts'

/** `npm test` leaves single tests to the long run; a file or an area that somebody asks for runs whole. */
if (process.env.TEST_DAILY)
  beforeEach(({ task, skip }) => {
    if (leftTests.some(({ file, title }) => task.name === title && task.file.filepath.endsWith(`/${file}`)))
      skip('left to the long run')
  })
