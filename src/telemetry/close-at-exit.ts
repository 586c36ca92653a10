/** What still has something to write when the process ends by itself. */
export interface ClosedAtExit {
  closeNow(): void
}

// One listener for all of them: Node warns of eleven.
const open = new Set<ClosedAtExit>()
const closeAll = (): void => {
  for (const each of open) each.closeNow()
}

export const closeAtExit = (each: ClosedAtExit): void => {
  if (open.size === 0) process.on('exit', closeAll)
  open.add(each)
}

export const leaveToItself = (each: ClosedAtExit): void => {
  open.delete(each)
  if (open.size === 0) process.off('exit', closeAll)
}
