import type { Photos } from '../photos/photos.ts'
import type { Job } from './jobs.ts'

/** Photos that nothing has, and what of one was sent and never finished. */
export const photoCare = (photos: Pick<Photos, 'tidy'>): Job => ({
  task: 'purge.photos',
  match: '23 * * * *',
  run: () => photos.tidy(),
})
