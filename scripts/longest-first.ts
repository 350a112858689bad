import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest on a clean clone, the longest first; two cores end together when nothing long is left to the end. */
const long = [
  'tests/stack/control/faults.test.ts',
  'apps/server/src/store/embedded/embedded.test.ts',
  'apps/server/src/areas/control/reclosures.test.ts',
  'tests/stack/firmware/firmware.test.ts',
  'tests/stack/account/second-factor.test.ts',
  'tests/stack/account/remembered-device.test.ts',
  'apps/server/src/store/embedded/roles.test.ts',
  'tests/stack/control/operations.test.ts',
  'tests/stack/push/push.test.ts',
  'tests/stack/control/reclosure.test.ts',
  'tests/stack/equipment/equipment.test.ts',
  'tests/stack/equipment/every-model.test.ts',
  'tests/stack/account/peppers.test.ts',
  'tests/stack/firmware/firmware-restart.test.ts',
]

const place = ({ moduleId }: TestSpecification): number => {
  const index = long.findIndex((file) => moduleId.endsWith(file))
  if (index >= 0) return index
  // Whole stacks next: they wait most.
  return moduleId.includes('/tests/stack/') ? long.length : long.length + 1
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
