import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { prepareDataFolder } from '../lib/data-folder.ts'
import type { Database } from '../store/core/database.ts'
import { photoBucket } from './photo-bucket.ts'
import { photoFolder } from './photo-folder.ts'
import type { Photos } from './photos.ts'
import { createPhotos } from './photos.ts'

interface Deps {
  readonly config: Pick<Config, 'dataDir' | 'photoFolder' | 'photoBucket' | 'photoQuotaBytes'>
  readonly database: Database
  readonly clock: () => number
  readonly log: Logger
}

/** Photos where the settings say that they lie: a bucket, a folder, or the data folder. */
export async function openPhotos({ config, ...deps }: Deps): Promise<Photos> {
  const { photoBucket: bucket, photoFolder: own, dataDir } = config
  if (bucket) return createPhotos({ ...deps, content: photoBucket(bucket), quotaBytes: config.photoQuotaBytes })
  const folder = own ?? join(dataDir, 'photos')
  await prepareDataFolder(folder)
  return createPhotos({ ...deps, content: photoFolder(folder), quotaBytes: config.photoQuotaBytes })
}
