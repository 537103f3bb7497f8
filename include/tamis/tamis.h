/* tamis.h - all of tamis. */
#ifndef TAMIS_H
#define TAMIS_H
#include "tamis/alphabet.h"
#include "tamis/blastn.h"
#include "tamis/blastp.h"
#include "tamis/blastx.h"
#include "tamis/builder.h"
#include "tamis/classify.h"
#include "tamis/context.h"
#include "tamis/dna.h"
#include "tamis/filter.h"
#include "tamis/frequency.h"
#include "tamis/mask.h"
#include "tamis/model.h"
#include "tamis/seeds.h"
#include "tamis/seq.h"
#include "tamis/seqdb.h"
#include "tamis/tblastn.h"
#include "tamis/tblastx.h"
#include "tamis/translated.h"
#endif
