import { aloneFleet, type Fleet } from '../fleet/fleet.js'
import { createSeals } from '../model/seal.js'

/** The fleet that this process is a part of; by itself unless its storage is shared. */
export const openFleet = async (): Promise<Fleet> => aloneFleet(createSeals())
